import { ImageIcon } from "lucide-react";
import { useState } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { FileButton } from "../components/file-button.tsx";
import { TextArea } from "../components/text-area.tsx";
import { languages, useWords } from "../words/index.ts";
import { toLogo } from "./logo.ts";
import { type LitPart, ReceiptPreview } from "./receipt-preview.tsx";
import { SavedSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";

/** What is on the shop's receipts, with a receipt beside it that follows every key. */
export function ReceiptSection({ business }: { business: Business }) {
	const { say } = useWords();
	const { attempt, problem, isBusy } = useAttempt();
	const [lit, setLit] = useState<LitPart>();
	const header = useSetting(business, "receiptHeader", say("settings.header"));
	const footer = useSetting(business, "receiptFooter", say("settings.footer"));
	const logo = useSetting(business, "receiptLogoUrl", say("settings.logo"));
	const language = useSetting(
		business,
		"receiptLanguage",
		say("settings.receiptLanguage"),
	);
	const text = (part: LitPart, setting: typeof header) => ({
		value: setting.value ?? "",
		error: setting.error,
		onChange: (typed: string) =>
			setting.change(typed.trim() === "" ? null : typed),
		onFocus: () => setLit(part),
		onBlur: () => {
			setLit(undefined);
			setting.save();
		},
	});
	return (
		<div className="settings-receipt">
			<SavedSection
				title={say("settings.receipt")}
				isSaved={[header, footer, logo, language].some((one) => one.isSaved)}
			>
				{problem}
				<div className="field">
					<span className="field-label">{say("settings.logo")}</span>
					<div className="row-flex settings-logo">
						<span className="settings-logo-box">
							{logo.value ? (
								<img src={logo.value} alt={say("settings.logo")} />
							) : (
								<ImageIcon size={24} aria-hidden />
							)}
						</span>
						<FileButton
							accept="image/png,image/jpeg,image/webp"
							isBusy={isBusy}
							onFile={(file) =>
								attempt(async () =>
									logo.change(
										await toLogo(file).catch(() => {
											throw new Error(say("products.noPicture"));
										}),
									),
								)
							}
						>
							{say("products.picture")}
						</FileButton>
						{logo.value && (
							<Button kind="quiet" onClick={() => logo.change(null)}>
								{say("settings.noLogo")}
							</Button>
						)}
						<span className="text-s muted">{say("settings.logoLead")}</span>
					</div>
				</div>
				<TextArea label={say("settings.header")} {...text("header", header)} />
				<TextArea label={say("settings.footer")} {...text("footer", footer)} />
				<div className="field">
					<span className="field-label">{say("settings.receiptLanguage")}</span>
					<Chips
						label={say("settings.receiptLanguage")}
						choices={[
							{ value: null, label: say("settings.tillsLanguage") },
							...Object.entries(languages).map(([value, label]) => ({
								value,
								label,
							})),
						]}
						value={language.value ?? null}
						onChange={language.change}
					/>
				</div>
			</SavedSection>
			<ReceiptPreview
				business={{
					...business,
					receiptHeader: header.value ?? null,
					receiptFooter: footer.value ?? null,
					receiptLogoUrl: logo.value ?? null,
					receiptLanguage: language.value ?? null,
				}}
				lit={lit}
			/>
		</div>
	);
}
