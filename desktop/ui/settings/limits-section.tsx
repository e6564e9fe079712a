import type { Business } from "../../../sync/entities/business.ts";
import { useWords } from "../words/index.ts";
import { DecimalSetting } from "./decimal-setting.tsx";
import { SavedSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";

/** What cashiers may do before the owner hears of it. */
export function LimitsSection({ business }: { business: Business }) {
	const { say } = useWords();
	const labels = {
		discount: say("settings.cashierDiscountMax"),
		refund: say("settings.cashierRefundMax"),
		cashOut: say("settings.cashierCashOutMax"),
	};
	const discount = useSetting(business, "cashierDiscountMax", labels.discount);
	const refund = useSetting(business, "cashierRefundMax", labels.refund);
	const cashOut = useSetting(business, "cashierCashOutMax", labels.cashOut);
	return (
		<SavedSection
			title={say("settings.limits")}
			isSaved={discount.isSaved || refund.isSaved || cashOut.isSaved}
		>
			<p>{say("settings.limitsLead")}</p>
			<div className="settings-narrow column-flex">
				<DecimalSetting label={labels.discount} setting={discount} />
				<DecimalSetting label={labels.refund} setting={refund} />
				<DecimalSetting label={labels.cashOut} setting={cashOut} />
			</div>
		</SavedSection>
	);
}
