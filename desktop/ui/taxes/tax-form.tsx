import { Plus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Tax } from "../../../sync/entities/tax.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { DayField } from "../components/day-field.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { addMonths } from "../components/month.ts";
import { SelectField } from "../components/select-field.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

const kinds = ["standard", "reduced", "zero", "exempt"] as const;

interface Rate {
	from: string;
	/** As they are typed. */
	rate: string;
	byMethod: string;
	methods: string[];
}

const notCash = ["MPESA", "CARD"];

/** A tax class, new or changed. Its code stays: sold lines name it. */
export function TaxForm({
	tax,
	today,
	onDone,
}: {
	tax: Tax | undefined;
	today: string;
	onDone(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const [id, setId] = useState(tax?.id ?? "");
	const [name, setName] = useState(tax?.name ?? "");
	const [kind, setKind] = useState<Tax["kind"]>(tax?.kind ?? "standard");
	const [rates, setRates] = useState<Rate[]>(
		tax
			? tax.rates.map(({ from, rate, paidBy }) => ({
					...{ from, rate: String(rate), methods: paidBy?.methods ?? notCash },
					byMethod: paidBy ? String(paidBy.rate) : "",
				}))
			: [newRate(today)],
	);
	/** Rates mostly change with a month. */
	const nextMonth = addMonths(`${today.slice(0, 8)}01`, 1);
	const isTaxed = kind === "standard" || kind === "reduced";

	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		const set = {
			...{ id, name: name.trim(), kind },
			rates: rates
				.map(({ from, rate, byMethod, methods }) => {
					if (!isTaxed) return { from, rate: 0 };
					const other = decimalOf(byMethod);
					return {
						...{ from, rate: decimalOf(rate) ?? 0 },
						...(other !== undefined && { paidBy: { methods, rate: other } }),
					};
				})
				.sort((a, b) => (a.from < b.from ? -1 : 1)),
		};
		if (await attempt(() => shop.mutate("tax.set", set))) onDone();
	}

	const change = (at: number, set: Partial<Rate>) =>
		setRates(rates.map((one, i) => (i === at ? { ...one, ...set } : one)));
	return (
		<form className="column-flex" onSubmit={save}>
			{problem}
			<TextField
				label={say("taxes.code")}
				value={id}
				onChange={(typed) => setId(typed.toUpperCase().replace(/\W|_/g, ""))}
				disabled={tax !== undefined}
				required
				maxLength={8}
			/>
			<TextField
				label={say("taxes.name")}
				value={name}
				onChange={setName}
				required
				maxLength={100}
			/>
			<SelectField
				label={say("taxes.kind")}
				value={kind}
				onChange={(chosen) => setKind(chosen as Tax["kind"])}
				options={kinds.map((value) => ({
					value,
					label: say(`taxes.kind.${value}`),
				}))}
			/>
			{isTaxed && (
				<>
					{rates.map(({ from, rate, byMethod }, i) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a rate is named by its place while its day is chosen.
						<div className="tax-rate" key={i}>
							<DecimalField
								label={say("taxes.rate")}
								value={rate}
								onChange={(typed) => change(i, { rate: typed })}
								required
							/>
							<DecimalField
								label={say("taxes.byMethod")}
								value={byMethod}
								onChange={(typed) => change(i, { byMethod: typed })}
							/>
							<DayField
								label={say("taxes.from")}
								value={from}
								onChange={(day) => change(i, { from: day })}
							/>
							{rates.length > 1 && (
								<IconButton
									isDanger
									label={say("taxes.removeRate", { rate })}
									onClick={() => setRates(rates.filter((_, at) => at !== i))}
								>
									<X size={20} aria-hidden />
								</IconButton>
							)}
						</div>
					))}
					<Button onClick={() => setRates([...rates, newRate(nextMonth)])}>
						<Plus size={18} aria-hidden />
						{say("taxes.addRate")}
					</Button>
				</>
			)}
			{isTaxed && <p className="text-s muted">{say("taxes.byMethodNote")}</p>}
			<p className="text-s muted">{say("taxes.soldStay")}</p>
			<div className="sheet-foot">
				<Button
					type="submit"
					kind="ink"
					size="l"
					isBusy={isBusy}
					disabled={id === "" || name.trim() === ""}
				>
					{say("app.save")}
				</Button>
			</div>
		</form>
	);
}

const newRate = (from: string): Rate => ({
	...{ from, rate: "", byMethod: "", methods: notCash },
});
