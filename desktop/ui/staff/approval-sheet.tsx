import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useWords, type Word } from "../words/index.ts";
import type { ApprovalQuestion } from "./ask-approval.ts";
import { AskPin } from "./ask-pin.tsx";
import { useStaff } from "./use-staff.ts";

/** Asks somebody who may do it for the PIN that approves one act, while the shop waits for it. */
export function ApprovalSheet() {
	const { question } = useShop();
	return question && <Question {...question} />;
}

function Question({ asked, isRefused, answer }: ApprovalQuestion) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	// Also the one who sells now: a cashier's session limits an owner who was switched to, until their PIN shows who it is.
	const people = useStaff().filter(({ role }) => role !== "CASHIER");
	const act = say(`staff.act.${asked.act}` as Word);
	return (
		<Sheet
			place="goods"
			title={say("staff.approve")}
			onClose={() => answer(undefined)}
		>
			<p role={isRefused ? "alert" : undefined}>
				{isRefused
					? say("staff.approveOther")
					: asked.amount === 0
						? act
						: say("staff.approveLead", {
								...{ act, amount: format.money(asked.amount) },
							})}
			</p>
			<AskPin
				people={people}
				asked={people.length === 1 ? people[0] : undefined}
				check={(id, pin) => shop.approve(id, pin, asked)}
				onRight={({ approval }) => answer(approval)}
			/>
		</Sheet>
	);
}
