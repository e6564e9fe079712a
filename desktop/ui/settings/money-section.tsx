import { useEffect, useMemo, useState } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import { cashOf } from "../../../sync/entities/currency.ts";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { currencyChoices } from "../sign-in/currency-choices.ts";
import { useWords } from "../words/index.ts";
import { SavedSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";

/** The shop's currency, and the smallest coin that its customers pay with. */
export function MoneySection({ business }: { business: Business }) {
	const { say, language } = useWords();
	const currency = useSetting(business, "currency", say("setup.currency"));
	const coin = useSetting(business, "cashUnit", say("settings.cashUnit"));
	const choices = useMemo(() => currencyChoices(language), [language]);
	const [typed, setTyped] = useState("");
	// What is typed stays as it is, such as "0.50", while it means the same.
	useEffect(() => {
		setTyped((before) =>
			(decimalOf(before) ?? null) === coin.value
				? before
				: String(coin.value ?? ""),
		);
	}, [coin.value]);
	return (
		<SavedSection
			title={say("settings.money")}
			isSaved={currency.isSaved || coin.isSaved}
		>
			<SelectField
				label={say("setup.currency")}
				options={choices}
				value={currency.value}
				onChange={currency.change}
				onBlur={currency.save}
			/>
			<div className="settings-narrow">
				<DecimalField
					label={say("settings.cashUnit")}
					placeholder={String(cashOf(currency.value).unit)}
					value={typed}
					onChange={(text) => {
						setTyped(text);
						coin.change(decimalOf(text) ?? null);
					}}
					onBlur={coin.save}
					error={coin.error}
				/>
			</div>
			<p className="text-s muted">{say("settings.cashUnitLead")}</p>
		</SavedSection>
	);
}
