import type { AnswerInfo, ChatCall } from "./call.ts";
import type { Model } from "./catalogue.ts";
import type { Choice, Completion, Usage } from "./chat.ts";
import { errorOfFault, GatewayError } from "./errors.ts";
import { Exhausted } from "./failover.ts";
import type { Fault } from "./fault.ts";
import {
	type CallRecord,
	emptyRecord,
	type Meter,
	type Reservation,
} from "./meter.ts";
import { costOf } from "./prices.ts";
import { providers } from "./providers/index.ts";
import type { Chunk } from "./providers/provider.ts";
import { keyVariable } from "./settings.ts";
import {
	answerEstimate,
	type PromptSize,
	promptBound,
	type TokenCounter,
} from "./tokens.ts";

/** Records a call exactly once, however it ends. */
export interface Settlement {
	/** Whether the reservation, or else the budget, covers this model besides the failed attempts that may be billed. */
	affords(model: Model): Promise<boolean>;
	/** The gateway calls a provider. */
	attemptStarted(model: Model): void;
	/** The provider failed before any content. */
	attemptFailed(model: Model, fault: Fault): void;
	/** The first content arrived. */
	contentStarted(info: AnswerInfo, model: Model): void;
	/**
	 * The answer is complete; usage is estimated if the provider didn't count it.
	 *
	 * @returns the provider's usage or the estimate
	 */
	completed(usage: Usage | undefined, bytes: number): Usage;
	/** The answer ended early, after part of it was sent. @param error null if the client left */
	interrupted(
		model: Model,
		usage: Usage | undefined,
		bytes: number,
		error: unknown,
	): void;
	/** The call failed before any content. @returns the error for the caller */
	failed(error: unknown, signal: AbortSignal): unknown;
}

interface Options {
	meter: Meter;
	reservation: Reservation;
	call: ChatCall;
	size: PromptSize;
	/** The most that a model's answer can cost, in nanodollars. */
	boundOf(model: Model): number;
	tokens: TokenCounter;
	/** Why the first candidate was chosen. */
	reason: string;
	begun: number;
}

export function openSettlement({
	meter,
	reservation,
	call,
	size,
	boundOf,
	tokens,
	reason,
	begun,
}: Options): Settlement {
	let info: AnswerInfo | undefined;
	let answering: Model | undefined;
	let firstTokenMs: number | null = null;
	let isSettled = false;
	let underWay: Model | undefined;
	/** The most that failed attempts may be billed. */
	let owed = 0;

	function settle(change: Partial<CallRecord> & Pick<CallRecord, "status">) {
		if (isSettled) return;
		isSettled = true;
		meter.settle(reservation, {
			...emptyRecord,
			askedModel: call.request.model,
			model: info?.model ?? null,
			route: info?.route ?? reason,
			cache: info?.cache ?? "off",
			attempts: info?.attempts ?? 0,
			firstTokenMs,
			durationMs: Math.round(performance.now() - begun),
			...change,
			cost: owed + (change.cost ?? 0),
		});
	}

	const hasBudget = reservation.held !== undefined;

	/** The most that a failed attempt may have cost. */
	function costOfAttempt(model: Model): number {
		return hasBudget ? boundOf(model) : estimate(model, undefined, 0).cost;
	}

	function estimate(model: Model, usage: Usage | undefined, bytes: number) {
		return estimateCharge({
			model,
			size,
			usage,
			bytes,
			hasBudget,
			bound: boundOf(model),
			tokens,
		});
	}

	return {
		async affords(model) {
			const { held } = reservation;
			if (!held) return true;
			const missing = owed + boundOf(model) - held.amount;
			return missing <= 0 || meter.extend(reservation, missing);
		},

		attemptStarted(model) {
			underWay = model;
		},

		attemptFailed(model, fault) {
			underWay = undefined;
			if (fault.mayBeBilled) owed += costOfAttempt(model);
		},

		contentStarted(how, model) {
			info = how;
			answering = model;
			firstTokenMs = Math.round(performance.now() - begun);
		},

		completed(usage, bytes) {
			if (!answering) throw new TypeError("No answer has started");
			if (usage) tokens.learn(size, answering, usage);
			const counted = usage
				? { ...usage, cost: costOf(answering, usage) }
				: estimate(answering, usage, bytes);
			settle({
				status: "ok",
				promptTokens: counted.promptTokens,
				cachedTokens: usage?.cachedTokens ?? 0,
				completionTokens: counted.completionTokens,
				cost: counted.cost,
			});
			return (
				usage ?? {
					promptTokens: tokens.estimate(size, answering),
					completionTokens: answerEstimate(bytes),
				}
			);
		},

		interrupted(model, usage, bytes, error) {
			settle({
				status: error === null ? "cancelled" : "failed",
				error: error === null ? null : messageOf(error),
				...estimate(model, usage, bytes),
			});
		},

		failed(error, signal) {
			if (!(error instanceof Exhausted)) {
				settle({
					status: signal.aborted ? "cancelled" : "failed",
					error: signal.aborted ? null : messageOf(error),
					cost: underWay ? costOfAttempt(underWay) : 0,
				});
				return error;
			}
			const { model, fault, attempts } = error;
			settle({
				status: "failed",
				model: model.id,
				attempts,
				error: `${fault.kind}: ${fault.message}`,
			});
			return errorOfFault(fault, {
				name: providers.find(({ id }) => id === model.provider)?.name ?? "",
				keyName: keyVariable(model.provider),
			});
		},
	};
}

/**
 * Estimates the charge of a call that the provider didn't fully count. Under a budget the estimate is the most that the
 * call can have cost, since the number of hidden reasoning tokens is unknown.
 *
 * @param bytes of the answer that arrived
 * @param bound the most that the call can cost, in nanodollars
 */
export function estimateCharge({
	model,
	size,
	usage,
	bytes,
	hasBudget,
	bound,
	tokens,
}: {
	model: Model;
	size: PromptSize;
	usage: Usage | undefined;
	bytes: number;
	hasBudget: boolean;
	bound: number;
	tokens: Pick<TokenCounter, "estimate">;
}): { promptTokens: number; completionTokens: number; cost: number } {
	const counted = {
		promptTokens:
			usage?.promptTokens ??
			(hasBudget ? promptBound(size, model) : tokens.estimate(size, model)),
		completionTokens: Math.max(
			usage?.completionTokens ?? 0,
			hasBudget ? bytes : answerEstimate(bytes),
		),
	};
	const cost =
		hasBudget && model.capabilities.reasoning
			? bound
			: Math.min(bound, costOf(model, counted));
	return { ...counted, cost };
}

function messageOf(error: unknown): string {
	return error instanceof GatewayError || error instanceof Error
		? error.message
		: String(error);
}

/** Makes the record of a call that reached no provider, because its answer was cached or shared. */
export function freeRecord(
	{ request }: ChatCall,
	info: AnswerInfo,
): CallRecord {
	const { model, route, cache } = info;
	const askedModel = request.model;
	return { ...emptyRecord, askedModel, model, route, cache, status: "ok" };
}

export function bytesOfCompletion({ choices }: Completion): number {
	return choices.reduce((sum, { message }) => sum + bytesOf(message), 0);
}

export function bytesOfChunk({ deltas }: Chunk): number {
	return deltas.reduce((sum, { delta }) => sum + bytesOf(delta), 0);
}

function bytesOf({
	content,
	reasoning_content,
	refusal,
	tool_calls,
}: Partial<Omit<Choice["message"], "role" | "tool_calls">> & {
	tool_calls?: { function?: { name?: string; arguments?: string } }[];
}): number {
	let bytes = Buffer.byteLength(content ?? "");
	if (reasoning_content) bytes += Buffer.byteLength(reasoning_content);
	if (refusal) bytes += Buffer.byteLength(refusal);
	for (const { function: called } of tool_calls ?? [])
		bytes += Buffer.byteLength(
			(called?.name ?? "") + (called?.arguments ?? ""),
		);
	return bytes;
}
