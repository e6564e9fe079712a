import { useQuery } from "@tanstack/react-query";
import { ask } from "../api.ts";

interface Figures {
	calls: number;
	saved: number;
	failed: number;
	promptTokens: number;
	completionTokens: number;
	cost: number;
}

interface Usage {
	from: string;
	to: string;
	totals: Figures;
	days: (Figures & { day: string })[];
	models: (Figures & { model: string | null; firstTokenMs: number | null })[];
	keys: (Figures & { keyId: string | null; name: string | null })[];
	members: (Figures & { userId: string | null; name: string | null })[];
}

/** A key or a member that made calls. */
interface Asker extends Figures {
	id: string;
	name: string;
}

/** This month's usage, with all who made calls, the dearest first. */
export function useUsage() {
	return useQuery({
		queryKey: ["usage"],
		queryFn: async () => {
			const usage = await ask<Usage>("GET", "/api/usage");
			const { keys, members } = usage;
			const askers: Asker[] = [
				...keys.flatMap(({ keyId, ...it }) => toAsker(keyId, it)),
				...members.flatMap(({ userId, ...it }) => toAsker(userId, it)),
			];
			return { ...usage, askers: askers.sort((a, b) => b.cost - a.cost) };
		},
	});
}

function toAsker(
	id: string | null,
	it: Figures & { name: string | null },
): Asker[] {
	return id === null ? [] : [{ ...it, id, name: it.name ?? "–" }];
}
