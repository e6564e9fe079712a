import * as z from "zod";

/** A request of the queue as JSON: polled, and delivered. Its times are seconds, as in the APIs that it came through. */
export const queuedRequest = z
	.object({
		id: z.string(),
		object: z.literal("queued_request"),
		status: z.enum(["waiting", "running", "answered", "failed"]),
		path: z.string(),
		created_at: z.int(),
		answered_at: z.int().nullable(),
		/** When the request is given up, or its answer is deleted. */
		expires_at: z.int(),
		waits_for: z.enum(["internet", "budget", "provider"]).nullable(),
		/** Why the last try to answer or to deliver it failed. */
		error: z.string().nullable(),
		/** What its API would have answered at once. */
		response: z
			.object({
				status: z.int(),
				headers: z.record(z.string(), z.string()),
				body: z.record(z.string(), z.unknown()),
			})
			.nullable(),
		delivery: z
			.object({
				to: z.string(),
				status: z.enum(["waiting", "delivered", "failed"]),
			})
			.nullable(),
	})
	.meta({ id: "QueuedRequest" });
export type QueuedRequest = z.infer<typeof queuedRequest>;

/** What a request waits for before it is tried again. */
export type WaitsFor = NonNullable<QueuedRequest["waits_for"]>;
