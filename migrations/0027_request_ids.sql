-- A request is looked up by the id that its caller names in a report.
create index api_requests_request_id on api_requests (tenant_id, request_id);
