import { type Act, pickTill } from "./pick-till.ts";
import { shortWindow } from "./world.ts";

/** A till starts again with a window, or to hold everything: its owner chose so. */
export const changesWindow: Act = async (world, random) => {
	const till = pickTill(world, random);
	if (!till) return;
	const { machine } = till;
	till.windowDays = till.windowDays === undefined ? shortWindow : undefined;
	machine.die(false);
	await machine.start();
	await world.openTill(till);
};
