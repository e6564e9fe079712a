import type { ChatRequest } from "../chat.ts";
import type { ProviderCall } from "./provider.ts";

const stopMax = 5;

/** The stop sequences that a provider with a limit takes. */
export function firstStops(
	stop: ChatRequest["stop"],
	report: ProviderCall["report"],
): string[] {
	const all = [stop ?? []].flat();
	if (all.length > stopMax) report(`stop=first ${stopMax}`);
	return all.slice(0, stopMax);
}
