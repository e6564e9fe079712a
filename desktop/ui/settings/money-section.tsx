import { useMemo } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import { cashOf } from "../../../sync/entities/currency.ts";
import { SelectField } from "../components/select-field.tsx";
import { currencyChoices } from "../sign-in/currency-choices.ts";
import { useWords } from "../words/index.ts";
import { DecimalSetting } from "./decimal-setting.tsx";
import { SavedSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";

/** The shop's currency, and the smallest coin that its customers pay with. */
export function MoneySection({ business }: { business: Business }) {
	const { say, language } = useWords();
	const currency = useSetting(business, "currency", say("setup.currency"));
	const coin = useSetting(business, "cashUnit", say("settings.cashUnit"));
	const choices = useMemo(() => currencyChoices(language), [language]);
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
				<DecimalSetting
					label={say("settings.cashUnit")}
					placeholder={String(cashOf(currency.value).unit)}
					setting={coin}
				/>
			</div>
			<p className="text-s muted">{say("settings.cashUnitLead")}</p>
		</SavedSection>
	);
}
