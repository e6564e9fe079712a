import type { Random } from "./random.ts";
import type { SimulatedTill, World } from "./world.ts";

/** What somebody does, or what happens, in one step. */
export type Act = (world: World, random: Random) => Promise<void>;

export type PickedTill = SimulatedTill & {
	replica: NonNullable<SimulatedTill["replica"]>;
};

/** Picks a running till at random, if there is one. */
export function pickTill(
	{ tills }: Pick<World, "tills">,
	random: Random,
): PickedTill | undefined {
	const till = random.pick(tills);
	return till.replica && till.machine.isUp && till.hasJoined
		? (till as PickedTill)
		: undefined;
}
