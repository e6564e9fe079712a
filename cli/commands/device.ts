import { deviceList } from "../../sync/queries/device.ts";
import { Command } from "./command.ts";
import { asOwner, withBusiness } from "./open-shop.ts";
import { printRows } from "./print.ts";

interface Options {
	business?: string;
	json?: boolean;
}

export function deviceCommand(): Command {
	const list = new Command("list")
		.description(
			"List a business's tills: when each was last seen, its version, what it had not sent then, and how many changes it lacks",
		)
		.ofBusiness()
		.printsJson()
		.examples("counterfoil device list")
		.action(listDevices);
	return new Command("device")
		.description("Look at a business's tills")
		.addCommand(list);
}

async function listDevices({ business, json }: Options): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const { devices } = await shop.ask(asOwner(businessId), deviceList, {});
		printRows(
			devices.map((device) => ({
				till: device.prefix,
				id: device.id,
				lastSeenAt: device.lastSeenAt,
				version: device.program,
				unsent: device.unsent,
				behind: device.behind,
				receipts: device.lastReceipt,
				createdAt: device.createdAt,
			})),
			{ json, empty: "No till has synced yet" },
		);
	});
}
