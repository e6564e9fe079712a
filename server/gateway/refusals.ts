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
			/** It has more values than that; the first ones are sent instead. */
			longerThan: z.int(),
			/** Another parameter that the request has, and the values that matter. */
			with: z.string(),
			being: z.array(value),
			/** Another parameter that the request lacks. */
			without: z.string(),
			/** The effort isn't `none`. */
			reasons: z.literal(true),
			/** An absent value is refused too. */
			orUnset: z.literal(true),
		})
		.partial()
		.default({}),
	/** Sent instead; without it, the parameter is dropped. */
	set: value.optional(),
	/** The request goes over this API instead, which takes it. */
	over: z.literal("responses").optional(),
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
	if (when.with !== undefined && !isMet(when.being, asked[when.with]))
		return false;
	if (when.without !== undefined && !isAbsent(asked[when.without]))
		return false;
	if (when.reasons && asked.reasoning_effort === "none") return false;
	const given = asked[param];
	if (isAbsent(given)) return when.orUnset === true;
	const { is, isNot, above, below, longerThan } = when;
	const compared = comparable(given);
	return (
		(is === undefined || is.some((one) => one === compared)) &&
		!isNot?.some((one) => one === compared) &&
		(above === undefined || Number(compared) > above) &&
		(below === undefined || Number(compared) < below) &&
		(longerThan === undefined || [given].flat().length > longerThan)
	);
}

function isMet(values: Refusal["when"]["being"], given: unknown): boolean {
	if (isAbsent(given)) return false;
	return !values || values.some((one) => one === comparable(given));
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

/** The API over which a model takes a request that its provider's usual one refuses. */
export function otherApi(
	refusals: readonly Refusal[],
	asked: Asked,
): Refusal["over"] {
	return refusals.find(
		(one) => one.over && one.params.some((name) => isRefused(one, name, asked)),
	)?.over;
}

/** Drops or changes what a model refuses, and reports it as `name=dropped` or `name=value`. */
export function withoutRefused(
	asked: Asked,
	refusals: readonly Refusal[],
	report: (name: string, change: string | number) => void,
): Asked {
	const sent = { ...asked };
	for (const one of refusals)
		for (const param of one.over ? [] : one.params) {
			if (!isRefused(one, param, sent)) continue;
			const { set, when } = one;
			if (when.longerThan !== undefined) {
				sent[param] = [sent[param]].flat().slice(0, when.longerThan);
				report(param, `first ${when.longerThan}`);
			} else {
				if (set === undefined) delete sent[param];
				else sent[param] = set;
				report(param, set ?? "dropped");
			}
		}
	return sent;
}
