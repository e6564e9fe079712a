import { useLocation, useSearch } from "wouter";
import { type Period, type Preset, periodOf, presets } from "./period.ts";

/** The chosen period, which the page's address keeps: the way back from the sales leads to the same figures. */
export function usePeriod(today: string): {
	/** "other" for days that were typed. */
	chosen: Preset | "other";
	period: Period;
	choose(preset: Preset): void;
	setDays(period: Period): void;
} {
	const [path, go] = useLocation();
	const asked = new URLSearchParams(useSearch());
	const to = (search: Record<string, string>) =>
		go(`${path}?${new URLSearchParams(search)}`, { replace: true });
	const preset = presets.find((one) => one === asked.get("period")) ?? "today";
	const isTyped = asked.has("from") || asked.has("to");
	return {
		chosen: isTyped ? "other" : preset,
		period: isTyped
			? { from: asked.get("from") ?? "", to: asked.get("to") ?? "" }
			: periodOf(preset, today),
		choose: (preset) => to({ period: preset }),
		setDays: ({ from, to: end }) => to({ from, to: end }),
	};
}
