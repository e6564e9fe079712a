import type * as z from "zod";

/** An unusable setting; the message is one line for the operator. */
export class SettingsError extends Error {
	override readonly name = "SettingsError";
}

/** Reads environment variables. @throws SettingsError naming the variable */
export function parseEnvironment<S extends z.ZodType>(
	schema: S,
	env: Record<string, string | undefined>,
): z.output<S> {
	const parsed = schema.safeParse(env);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	throw new SettingsError(`${issue?.path.join(".")}: ${issue?.message}`);
}

/** Reads a list separated by commas. */
export function listOf(text: string): string[] {
	return text
		.split(",")
		.map((one) => one.trim())
		.filter((one) => one !== "");
}
