import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import type { Tax } from "../../../sync/entities/tax.ts";
import {
	type TaxCountry,
	type TaxPreset,
	taxPresets,
} from "../../../sync/entities/tax-presets.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Panel } from "../components/panel.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Toggle } from "../components/toggle.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { localeOf, useWords } from "../words/index.ts";
import { TaxForm } from "./tax-form.tsx";
import { TaxSelect } from "./tax-select.tsx";
import { rateOf, useTaxes } from "./use-taxes.ts";
import "./taxes.css";

const countries = Object.keys(taxPresets) as TaxCountry[];

/** The shop's taxes: classes with their rates, what most goods bear, and whether prices include it. */
export function TaxSection({ business }: { business: Business }) {
	const { say, language } = useWords();
	const { shop } = useShop();
	const countryNames = useMemo(
		() => new Intl.DisplayNames([localeOf(language)], { type: "region" }),
		[language],
	);
	const taxes = useTaxes();
	const today = useAnswer("business.today", {}).data?.day ?? "";
	const [edited, edit] = useState<Tax | "new">();
	const { attempt, problem } = useAttempt();
	const set = (change: { taxClass: string | null } | { addsTax: boolean }) =>
		attempt(() => shop.mutate("business.update", { set: change }));

	async function start(country: TaxCountry): Promise<void> {
		const { classes, taxClass }: TaxPreset = taxPresets[country];
		await attempt(async () => {
			for (const { rate, paidBy, ...one } of classes)
				await shop.mutate("tax.set", {
					name: say(`taxes.kind.${one.kind}`),
					...one,
					rates: [{ from: today, rate, ...(paidBy && { paidBy }) }],
				});
			await shop.mutate("business.update", { set: { taxClass } });
		});
	}

	return (
		<Panel title={say("taxes.title")}>
			{problem}
			{taxes.length === 0 ? (
				<>
					<p>{say("taxes.lead")}</p>
					<div className="chips">
						{countries.map((country) => (
							<Button key={country} onClick={() => start(country)}>
								{countryNames.of(country)}
							</Button>
						))}
					</div>
				</>
			) : (
				<>
					<TaxList taxes={taxes} today={today} onEdit={edit} />
					<TaxSelect
						label={say("taxes.usual")}
						value={business.taxClass ?? null}
						none={say("taxes.none")}
						onChange={(taxClass) => set({ taxClass })}
					/>
					<Toggle
						label={say("taxes.adds")}
						note={say("taxes.addsNote")}
						checked={business.addsTax === true}
						onChange={(addsTax) => set({ addsTax })}
					/>
				</>
			)}
			<Button onClick={() => edit("new")}>
				<Plus size={18} aria-hidden />
				{say("taxes.add")}
			</Button>
			<p className="text-s muted">{say("taxes.check")}</p>
			{edited && (
				<Sheet
					title={edited === "new" ? say("taxes.add") : edited.name}
					mayCloseByTap={false}
					onClose={() => edit(undefined)}
				>
					<TaxForm
						tax={edited === "new" ? undefined : edited}
						today={today}
						onDone={() => edit(undefined)}
					/>
				</Sheet>
			)}
		</Panel>
	);
}

function TaxList({
	taxes,
	today,
	onEdit,
}: {
	taxes: readonly Tax[];
	today: string;
	onEdit(tax: Tax): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<div className="column-flex">
			{taxes.map((tax) => {
				const rate = rateOf(tax, today);
				return (
					<Button key={tax.id} isWide onClick={() => onEdit(tax)}>
						<span className="grow tax-name">
							<b>{say("taxes.named", { id: tax.id, name: tax.name })}</b>
							<span className="muted text-s">
								{say(`taxes.kind.${tax.kind}`)}
							</span>
						</span>
						<span className="figure strong">
							{rate === undefined
								? "–"
								: say("taxes.percent", { rate: format.quantity(rate) })}
						</span>
					</Button>
				);
			})}
		</div>
	);
}
