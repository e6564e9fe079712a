import type { Failure } from "./fault.ts";

export type CacheUse = "hit" | "miss" | "shared" | "off";

/** A finished call; the database records all but `operation` and `failure`. */
export interface CallRecord {
	operation: "chat" | "embeddings";
	askedModel: string;
	/** The model that answered, if any. */
	model: string | null;
	route: string;
	cache: CacheUse;
	/** `running` is a lease. */
	status: "ok" | "failed" | "cancelled" | "running";
	error: string | null;
	/** The kind of the error, which never quotes anything. */
	failure: Failure | null;
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
	operation: "chat",
	model: null,
	route: "",
	cache: "off",
	error: null,
	failure: null,
	attempts: 0,
	promptTokens: 0,
	cachedTokens: 0,
	completionTokens: 0,
	cost: 0,
	firstTokenMs: null,
	durationMs: 0,
} as const satisfies Partial<CallRecord>;
