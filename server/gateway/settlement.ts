import type { AnswerInfo, ChatCall } from "./call.ts";
import { type CallRecord, emptyRecord } from "./call-record.ts";
import type { Model } from "./catalogue.ts";
import type { Choice, Completion, Usage } from "./chat.ts";
import { errorOfFault, GatewayError } from "./errors.ts";
import { Exhausted } from "./failover.ts";
import { type Fault, failureOf } from "./fault.ts";
import type { Meter, Reservation } from "./meter.ts";
import type { PreparedCall } from "./prepare.ts";
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
	/** The answer broke off, and another call will go on with it. */
	brokeOff(usage: Usage | undefined, bytes: number): void;
	/** That call's first content arrived. */
	resumed(model: Model, attempts: number): void;
	/**
	 * The answer is complete; usage is estimated if the provider didn't count it.
	 *
	 * @returns the provider's usage or the estimate, of all calls that the answer is made of
	 */
	completed(usage: Usage | undefined, bytes: number): Usage;
	/** The answer ended early, after part of it was sent. @param error null if the client left */
	interrupted(usage: Usage | undefined, bytes: number, error: unknown): void;
	/** The call failed before any content. @returns the error for the caller */
	failed(error: unknown, signal: AbortSignal): unknown;
}

interface Options {
	meter: Meter;
	reservation: Reservation;
	call: ChatCall;
	/** The call of a candidate as it is made now. */
	preparedOf(model: Model): PreparedCall;
	tokens: TokenCounter;
	/** Why the first candidate was chosen. */
	reason: string;
	begun: number;
}

export function openSettlement({
	meter,
	reservation,
	call,
	preparedOf,
	tokens,
	reason,
	begun,
}: Options): Settlement {
	let info: AnswerInfo | undefined;
	let answering: Model | undefined;
	let firstTokenMs: number | null = null;
	let isSettled = false;
	let underWay: Model | undefined;
	/** What the call used so far, and the most that failed attempts may be billed. */
	const used = {
		promptTokens: 0,
		cachedTokens: 0,
		completionTokens: 0,
		cost: 0,
	};
	/** The same for the callers: where a provider didn't count, the probable and not the largest number. */
	const probable: Usage = { promptTokens: 0, completionTokens: 0 };

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
			...used,
		});
	}

	const hasBudget = reservation.held !== undefined;
	const boundOf = (model: Model) => preparedOf(model).bound();

	function add(more: Partial<typeof used>): void {
		for (const field of Object.keys(used) as (keyof typeof used)[])
			used[field] += more[field] ?? 0;
	}

	/** The most that a failed attempt may have cost. */
	function costOfAttempt(model: Model): number {
		return hasBudget ? boundOf(model) : estimate(model, undefined, 0).cost;
	}

	function estimate(model: Model, usage: Usage | undefined, bytes: number) {
		return estimateCharge({
			model,
			size: preparedOf(model).size,
			usage,
			bytes,
			hasBudget,
			bound: boundOf(model),
			tokens,
		});
	}

	function addProbable(
		model: Model,
		usage: Usage | undefined,
		bytes: number,
	): void {
		probable.promptTokens +=
			usage?.promptTokens ?? tokens.estimate(preparedOf(model).size, model);
		probable.completionTokens +=
			usage?.completionTokens ?? answerEstimate(bytes);
	}

	return {
		async affords(model) {
			const { held } = reservation;
			if (!held) return true;
			const missing = used.cost + boundOf(model) - held.amount;
			return missing <= 0 || meter.extend(reservation, missing);
		},

		attemptStarted(model) {
			underWay = model;
		},

		attemptFailed(model, fault) {
			underWay = undefined;
			if (fault.mayBeBilled) add({ cost: costOfAttempt(model) });
		},

		contentStarted(how, model) {
			underWay = undefined;
			info = how;
			answering = model;
			firstTokenMs = Math.round(performance.now() - begun);
		},

		brokeOff(usage, bytes) {
			if (!answering) return;
			add(estimate(answering, usage, bytes));
			addProbable(answering, usage, bytes);
			answering = undefined;
		},

		resumed(model, attempts) {
			underWay = undefined;
			answering = model;
			if (!info) return;
			const route = `${info.route}; resumed by=${model.id}`;
			info = { ...info, route, attempts: info.attempts + attempts };
		},

		completed(usage, bytes) {
			if (!answering) throw new TypeError("No answer has started");
			if (usage) tokens.learn(preparedOf(answering).size, answering, usage);
			add(
				usage
					? { ...usage, cost: costOf(answering, usage) }
					: estimate(answering, usage, bytes),
			);
			addProbable(answering, usage, bytes);
			settle({ status: "ok" });
			return { ...usage, ...probable };
		},

		interrupted(usage, bytes, error) {
			this.brokeOff(usage, bytes);
			if (underWay) add({ cost: costOfAttempt(underWay) });
			settle({
				status: error === null ? "cancelled" : "failed",
				error: error === null ? null : messageOf(error),
				failure: error === null ? null : failureOf(error),
			});
		},

		failed(error, signal) {
			if (!(error instanceof Exhausted)) {
				if (underWay) add({ cost: costOfAttempt(underWay) });
				settle({
					status: signal.aborted ? "cancelled" : "failed",
					error: signal.aborted ? null : messageOf(error),
					failure: signal.aborted ? null : failureOf(error),
				});
				return error;
			}
			const { model, fault, attempts } = error;
			settle({
				status: "failed",
				model: model.id,
				attempts,
				error: `${fault.kind}: ${fault.message}`,
				failure: fault.kind,
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
	// A model that no catalogue lists may reason too.
	const mayReason = model.capabilities.reasoning || model.isUnlisted;
	const cost =
		hasBudget && mayReason ? bound : Math.min(bound, costOf(model, counted));
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
	let text = "";
	for (const { message } of choices) text += textOf(message);
	return Buffer.byteLength(text);
}

/** All that a chunk says, in no order. */
export function textOfChunk({ deltas }: Chunk): string {
	let text = "";
	for (const { delta } of deltas) text += textOf(delta);
	return text;
}

function textOf({
	content,
	reasoning_content,
	refusal,
	tool_calls,
}: Partial<Omit<Choice["message"], "role" | "tool_calls">> & {
	tool_calls?: { function?: { name?: string; arguments?: string } }[];
}): string {
	let text = content ?? "";
	if (reasoning_content) text += reasoning_content;
	if (refusal) text += refusal;
	for (const { function: called } of tool_calls ?? [])
		text += (called?.name ?? "") + (called?.arguments ?? "");
	return text;
}
