import { ShopError } from "../../../sync/protocol/errors.ts";
import type {
	ActToApprove,
	ApprovalCheck,
} from "../../../sync/protocol/till-api.ts";
import type { ShopClient } from "../shop/client.ts";

type Approval = Extract<ApprovalCheck, { outcome: "right" }>["approval"];

/** An approval that is waited for. */
export interface ApprovalQuestion {
	asked: ActToApprove;
	/** True if the approval that was given before goes beyond its approver's own limits. */
	isRefused: boolean;
	/** @param approval undefined if it is not given */
	answer(approval: Approval | undefined): void;
}

/**
 * Returns the shop with mutations that ask for a PIN where they go beyond their maker's limits, and are then made with the
 * approval.
 *
 * @param show shows a question, or takes it away
 */
export function withApprovals(
	shop: ShopClient,
	show: (question: ApprovalQuestion | undefined) => void,
): ShopClient {
	const askFor = (asked: ActToApprove, isRefused: boolean) =>
		new Promise<Approval | undefined>((resolve) => {
			show({
				...{ asked, isRefused },
				answer(approval) {
					show(undefined);
					resolve(approval);
				},
			});
		});
	return {
		...shop,
		async mutate(name, args, options) {
			let isRefused = false;
			let approved = args;
			for (;;)
				try {
					return await shop.mutate(name, approved, options);
				} catch (error) {
					const isAsked =
						error instanceof ShopError && error.code === "needs_approval";
					if (!isAsked) throw error;
					const { id } = args as { id: string };
					const asked = { act: name, id, amount: error.amount ?? 0 };
					const approval = await askFor(asked, isRefused);
					if (!approval) throw error;
					approved = { ...args, approval };
					isRefused = true;
				}
		},
	};
}
