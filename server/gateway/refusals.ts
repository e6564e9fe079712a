import * as z from "zod";

const value = z.union([z.string(), z.number()]);

/** What a model refuses of an otherwise valid request, and what is sent instead. */
export const refusal = z.strictObject({
	params: z.array(z.string()).min(1),
	/** All of these hold where it is refused; without any, it always is. */
	when: z
		.strictObject({
			is: z.array(value),
			isNot: z.array(value),
			above: z.number(),
			below: z.number(),
			/** Another parameter that the request has. */
			with: z.string(),
			/** The effort isn't `none`. */
			reasons: z.literal(true),
			/** An absent value is refused too. */
			orUnset: z.literal(true),
		})
		.partial()
		.default({}),
	/** Sent instead; without it, the parameter is dropped. */
	set: value.optional(),
	/** The provider's words, where they are known. */
	says: z.string().optional(),
	/** The thread or page that shows it. */
	source: z.string(),
});
export type Refusal = z.infer<typeof refusal>;

/** A request's parameters by name. */
export type Asked = Record<string, unknown>;

/** Whether a request meets a refusal's condition for one of its parameters. */
export function isRefused(
	{ when }: Refusal,
	param: string,
	asked: Asked,
): boolean {
	if (when.with !== undefined && isAbsent(asked[when.with])) return false;
	if (when.reasons && asked.reasoning_effort === "none") return false;
	const given = asked[param];
	if (isAbsent(given)) return when.orUnset === true;
	const { is, isNot, above, below } = when;
	const compared = comparable(given);
	return (
		(is === undefined || is.some((one) => one === compared)) &&
		!isNot?.some((one) => one === compared) &&
		(above === undefined || Number(compared) > above) &&
		(below === undefined || Number(compared) < below)
	);
}

function isAbsent(given: unknown): boolean {
	return given == null || (Array.isArray(given) && given.length === 0);
}

/** A format is compared by its type. */
function comparable(given: unknown): unknown {
	return typeof given === "object" && given !== null && "type" in given
		? given.type
		: given;
}

/** Drops or changes what a model refuses, and reports it as `name=dropped` or `name=value`. */
export function withoutRefused(
	asked: Asked,
	refusals: readonly Refusal[],
	report: (name: string, change: string | number) => void,
): Asked {
	const sent = { ...asked };
	for (const one of refusals)
		for (const param of one.params) {
			if (!isRefused(one, param, sent)) continue;
			if (one.set === undefined) delete sent[param];
			else sent[param] = one.set;
			report(param, one.set ?? "dropped");
		}
	return sent;
}
