import { isWorthCaching } from "./answer-cache.ts";
import type { AnswerInfo, ChatCall } from "./call.ts";
import type { Completion } from "./chat.ts";
import type { Parts } from "./gateway-parts.ts";

/** Caches an answer that a later call may use. */
export function keep(
	{ cache, settings }: Pick<Parts, "cache" | "settings">,
	call: ChatCall,
	key: string | undefined,
	completion: Completion,
	{ model, route }: AnswerInfo,
): void {
	if (key === undefined || !isWorthCaching(completion)) return;
	cache.store(
		call.payer.businessId,
		key,
		{ ...completion, model, route },
		call.cacheSeconds ?? settings.cacheSeconds,
	);
}
