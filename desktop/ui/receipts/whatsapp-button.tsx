import { MessageCircle } from "lucide-react";
import type { ReactNode, Ref } from "react";
import type { ReceiptDocument } from "../../../sync/receipts/receipt-document.ts";
import { whatsAppLink } from "../../../sync/receipts/whatsapp.ts";
import { useBusiness } from "../shop/business.tsx";
import { useWords } from "../words/index.ts";
import { withLeadingZero } from "./whatsapp-phone.ts";

/** Opens WhatsApp with the receipt as a draft, for this phone number or for a contact chosen there. */
export function WhatsAppButton({
	receipt,
	phone,
	ref,
	children,
}: {
	receipt: ReceiptDocument;
	phone?: string | null;
	ref?: Ref<HTMLAnchorElement>;
	/** Its key. */
	children?: ReactNode;
}) {
	const { say } = useWords();
	const currency = useBusiness()?.currency ?? "";
	return (
		<a
			ref={ref}
			className="btn btn-default btn-l"
			href={whatsAppLink(receipt, {
				...{ phone: withLeadingZero(phone, currency), currency },
			})}
			target="_blank"
			rel="noopener noreferrer"
		>
			<MessageCircle size={20} aria-hidden />
			{say("receipt.whatsapp")} {children}
		</a>
	);
}
