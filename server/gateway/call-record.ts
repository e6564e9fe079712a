export type CacheUse = "hit" | "miss" | "shared" | "off";

/** A finished call as the database records it. */
export interface CallRecord {
	askedModel: string;
	/** The model that answered, if any. */
	model: string | null;
	route: string;
	cache: CacheUse;
	/** `running` is a lease. */
	status: "ok" | "failed" | "cancelled" | "running";
	error: string | null;
	attempts: number;
	promptTokens: number;
	cachedTokens: number;
	completionTokens: number;
	/** Nanodollars. */
	cost: number;
	firstTokenMs: number | null;
	durationMs: number;
}

/** The record of a call that cost nothing, such as one answered from the cache. */
export const emptyRecord = {
	model: null,
	route: "",
	cache: "off",
	error: null,
	attempts: 0,
	promptTokens: 0,
	cachedTokens: 0,
	completionTokens: 0,
	cost: 0,
	firstTokenMs: null,
	durationMs: 0,
} as const satisfies Partial<CallRecord>;
