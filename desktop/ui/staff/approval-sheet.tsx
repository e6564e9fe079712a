import { useState } from "react";
import type { Cashier } from "../../../sync/protocol/till-api.ts";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useWords, type Word } from "../words/index.ts";
import type { ApprovalQuestion } from "./ask-approval.ts";
import { People } from "./people.tsx";
import { PinPad } from "./pin-pad.tsx";
import { useStaff } from "./use-staff.ts";

/** Asks somebody who may do it for the PIN that approves one act, while the shop waits for it. */
export function ApprovalSheet() {
	const { question } = useShop();
	return question && <Question {...question} />;
}

function Question({ asked, isRefused, answer }: ApprovalQuestion) {
	const { say } = useWords();
	const format = useFormat();
	const { shop, session, cashier } = useShop();
	const now = cashier?.id ?? session.user.id;
	const people = useStaff().filter(
		({ id, role }) => id !== now && role !== "CASHIER",
	);
	const [picked, choose] = useState<Cashier>();
	const chosen = picked ?? (people.length === 1 ? people[0] : undefined);
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
			<People
				people={people}
				chosen={chosen}
				first={chosen ? undefined : people[0]}
				lineOf={({ role }) => say(`settings.role.${role}`)}
				onChoose={choose}
			>
				{chosen && (
					<PinPad
						key={chosen.id}
						person={chosen}
						check={(pin) => shop.approve(chosen.id, pin, asked)}
						onRight={({ approval }) => answer(approval)}
					/>
				)}
			</People>
		</Sheet>
	);
}
