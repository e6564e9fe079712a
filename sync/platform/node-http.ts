/** Node's own HTTP. An import of it would also load Node's fetch and WebSockets, which take 12 MB. */
export const { createServer, request, STATUS_CODES } =
	process.getBuiltinModule("node:http");
