import * as z from "zod";

/** What went wrong, as a person is told; of a check that failed, its first finding and where. */
export function whyOf(error: unknown): string {
	if (error instanceof z.ZodError) {
		const [issue] = error.issues;
		if (issue) return [...issue.path, issue.message].join(" ");
	}
	return error instanceof Error ? error.message : String(error);
}
