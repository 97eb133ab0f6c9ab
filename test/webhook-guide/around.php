// Put after the guide's function: a page that believes what the function believes.
$body = file_get_contents('php://input');
$headers = array_change_key_case(getallheaders(), CASE_LOWER);
if (is_from_parley($body, $headers, getenv('PARLEY_WEBHOOK_SECRET'))) {
    store($headers['webhook-id'], json_decode($body, true));
    http_response_code(204);
} else {
    http_response_code(401);
}
