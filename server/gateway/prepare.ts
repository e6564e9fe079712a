import type { ChatCall } from "./call.ts";
import type { Model } from "./catalogue.ts";
import { fitParams } from "./params.ts";
import { costBound } from "./prices.ts";
import type { Provider, ProviderCall } from "./providers/provider.ts";
import { type PromptSize, promptBound } from "./tokens.ts";

/** Everything needed to call one candidate. */
export interface PreparedCall {
	provider: Provider;
	call: ProviderCall;
	size: PromptSize;
	/** The prompt's estimated tokens. */
	promptTokens: number;
	/** The most that the call can cost, in nanodollars. */
	bound(): number;
	/** The parameters that were dropped or changed. */
	report: string[];
}

/** @param promptTokens the estimate */
export function prepare(
	chat: ChatCall,
	model: Model,
	provider: Provider,
	size: PromptSize,
	promptTokens: number,
): PreparedCall {
	const { request, payer } = chat;
	const report: string[] = [];
	const tell = (change: string) => void report.push(change);
	const params = fitParams(chat, model, provider, promptTokens, tell);
	const answers = params.optional.n ?? 1;
	return {
		provider,
		call: {
			request,
			model,
			params,
			stream: request.stream === true,
			businessId: payer.businessId,
			report: tell,
		},
		size,
		promptTokens,
		bound: () =>
			costBound(model, promptBound(size, model), params.maxTokens * answers),
		report,
	};
}
