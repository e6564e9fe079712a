import { ApiError, detailsOf, pageHeaders } from "../api.ts";

/**
 * Sends a file to the server.
 *
 * @throws ApiError also if a proxy answers with its own page, or nothing answers
 */
export async function upload<T>(
	path: string,
	body: Blob,
	headers: Record<string, string> = {},
): Promise<T> {
	const response = await fetch(path, {
		method: "POST",
		body,
		headers: { ...pageHeaders, ...headers },
	}).catch((cause: unknown) => {
		throw Object.assign(new ApiError(0, "The server can't be reached"), {
			cause,
		});
	});
	const answer: { error?: string } | undefined = await response
		.json()
		.catch(() => undefined);
	if (response.ok && answer) return answer as T;
	throw new ApiError(
		response.status,
		answer?.error ?? `The server answered ${response.status}`,
		detailsOf(response),
	);
}
