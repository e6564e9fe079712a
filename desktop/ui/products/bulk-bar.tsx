import { X } from "lucide-react";
import type { Category } from "../../../sync/entities/category.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { cleanSigned } from "../components/decimal.ts";
import { useWords } from "../words/index.ts";
import { type PriceBase, priceBases } from "./bulk-price.ts";

/** What was chosen in the bar: `by` as it was typed. */
export interface BulkRule {
	base: PriceBase | undefined;
	by: string;
	isRounded: boolean;
}

export const noRule: BulkRule = { base: undefined, by: "", isRounded: false };

const usual: Record<PriceBase, string> = {
	percent: "5",
	amount: "10",
	cost: "15",
};

/** The bar at the foot of the table: what to do with the chosen products. */
export function BulkBar({
	chosen,
	changes,
	rule,
	step,
	categories,
	onRule,
	onPrices,
	onCategory,
	onStop,
	onLabels,
	onClear,
}: {
	/** How many products are chosen, and how many of them have a new price. */
	chosen: number;
	changes: number;
	rule: BulkRule;
	/** What prices are rounded to. */
	step: number;
	categories: readonly Category[];
	onRule(rule: BulkRule): void;
	onPrices(): Promise<unknown>;
	onCategory(id: string | null): Promise<unknown>;
	onStop(): Promise<unknown>;
	onLabels(): Promise<unknown>;
	onClear(): void;
}) {
	const { say } = useWords();
	const { attempt, problem, isBusy } = useAttempt();
	const { base, by, isRounded } = rule;
	return (
		<section className="bulk" aria-label={say("bulk.title")}>
			<span className="strong" role="status">
				{say("bulk.chosen", { count: chosen })}
			</span>
			<div className="bulk-rules">
				{priceBases.map((one) => (
					<Button
						key={one}
						size="s"
						aria-pressed={base === one}
						onClick={() =>
							onRule(
								base === one
									? { ...rule, base: undefined, by: "" }
									: { ...rule, base: one, by: usual[one] },
							)
						}
					>
						{say(`bulk.${one}`, { by: base === one ? by : usual[one] })}
					</Button>
				))}
				{base !== undefined && (
					<input
						className="input bulk-by"
						inputMode="decimal"
						autoComplete="off"
						aria-label={say("bulk.by")}
						value={by}
						onFocus={(event) => event.currentTarget.select()}
						onChange={(event) =>
							onRule({ ...rule, by: cleanSigned(event.currentTarget.value) })
						}
					/>
				)}
				<Button
					size="s"
					aria-pressed={isRounded}
					onClick={() => onRule({ ...rule, isRounded: !isRounded })}
				>
					{say("bulk.round", { step })}
				</Button>
				<select
					className="btn btn-s"
					aria-label={say("bulk.category")}
					value=""
					onChange={({ currentTarget: { value } }) =>
						void attempt(() =>
							onCategory(value === "none" ? null : value.slice(1)),
						)
					}
				>
					<option value="" disabled>
						{say("bulk.category")}
					</option>
					<option value="none">{say("products.noCategory")}</option>
					{categories.map(({ id, name }) => (
						<option key={id} value={`=${id}`}>
							{name}
						</option>
					))}
				</select>
				<Button size="s" onClick={() => void attempt(onLabels)}>
					{say("labels.print")}
				</Button>
				<Button size="s" onClick={() => void attempt(onStop)}>
					{say("products.deactivate")}
				</Button>
			</div>
			{problem}
			<div className="bulk-end">
				<span className="text-s bulk-note">{say("bulk.note")}</span>
				<Button
					className="bulk-set"
					disabled={changes === 0}
					isBusy={isBusy}
					onClick={() => void attempt(onPrices)}
				>
					{say("bulk.set", { count: changes })}
				</Button>
				<IconButton label={say("bulk.clear")} onClick={onClear}>
					<X size={20} aria-hidden />
				</IconButton>
			</div>
		</section>
	);
}
