import { useMemo, useState } from "react";
import { accountCodes } from "../../../sync/entities/account-code.ts";
import type { Business } from "../../../sync/entities/business.ts";
import { cashOf } from "../../../sync/entities/currency.ts";
import { SelectField } from "../components/select-field.tsx";
import { TextArea } from "../components/text-area.tsx";
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
	const codes = useSetting(
		business,
		"accountCodes",
		say("settings.accountCodes"),
	);
	const choices = useMemo(() => currencyChoices(language), [language]);
	return (
		<SavedSection
			title={say("settings.money")}
			isSaved={currency.isSaved || coin.isSaved || codes.isSaved}
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
			<AccountCodes setting={codes} />
		</SavedSection>
	);
}

/** What the owner's books call the accounts of the export, a line for each: `4000=700`. */
function AccountCodes({
	setting: { value, change, save },
}: {
	setting: Pick<
		ReturnType<typeof useSetting<"accountCodes">>,
		"value" | "change" | "save"
	>;
}) {
	const { say } = useWords();
	const [typed, setTyped] = useState<string>();
	const text = typed ?? (value ?? []).map(textOf).join("\n");
	const wrong = linesOf(text).find(
		(_, i, all) =>
			!accountCodes.safeParse(all.slice(0, i + 1).map(codeIn)).success,
	);
	return (
		<>
			<TextArea
				label={say("settings.accountCodes")}
				rows={4}
				value={text}
				error={wrong && say("settings.accountCodesWrong", { line: wrong })}
				onChange={(text) => {
					setTyped(text);
					const { data } = accountCodes.safeParse(linesOf(text).map(codeIn));
					if (data) change(data);
				}}
				onBlur={() => {
					save();
					if (!wrong) setTyped(undefined);
				}}
			/>
			<p className="text-s muted">{say("settings.accountCodesLead")}</p>
		</>
	);
}

const textOf = ({ account, code }: { account: string; code: string }) =>
	`${account}=${code}`;

const linesOf = (text: string) =>
	text.split("\n").filter((line) => line.trim() !== "");

function codeIn(line: string): { account: string; code: string } {
	const [account = "", ...code] = line.split("=");
	return { account: account.trim(), code: code.join("=").trim() };
}
