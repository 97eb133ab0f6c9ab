// Written by scripts/write-openapi.ts from the API description. Do not edit.
export {};
