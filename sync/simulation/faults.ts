import { firstArgsVersion } from "../entities/args-version.ts";
import { mutations } from "../entities/index.ts";
import { toIso } from "../protocol/clock.ts";
import { newId } from "../protocol/ids.ts";
import { canonicalJson } from "../protocol/json.ts";
import * as outbox from "../replica/outbox.ts";
import type { Machine } from "./machine.ts";
import { type Act, pickTill } from "./pick-till.ts";
import type { Random } from "./random.ts";
import type { StepFault } from "./script.ts";
import { seenNothing, type World } from "./world.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Ends a fault after some time; the end of the run ends all faults. */
function until(
	world: World,
	random: Random,
	begin: (isOn: boolean) => void,
): void {
	begin(true);
	world.schedule.after(random.below(20 * minuteMs), () => begin(false));
}

/** Crashes the machine before any of its next statements, or between a commit and its answer. */
function armCrash(machine: Machine, random: Random): void {
	if (random.chance(0.2)) {
		machine.die(random.chance(0.5));
		return;
	}
	machine.breakage = {
		kind: "crash",
		statements: random.below(60),
		isAfterCommit: random.chance(0.4),
		isHard: random.chance(0.3),
	};
}

export const faults: Record<StepFault, Act> = {
	async isCutOff(world, random) {
		const till = random.pick(world.tills);
		until(world, random, (isOn) => {
			till.isOnline = !isOn;
		});
	},

	async crashes(world, random) {
		const { machine } = random.pick(world.tills);
		if (machine.isUp) armCrash(machine, random);
	},

	async serverCrashes({ server: { machine } }, random) {
		if (machine.isUp) armCrash(machine, random);
	},

	async diskFills(world, random) {
		const machine = pickMachine(world, random);
		const { life } = machine;
		until(world, random, (isOn) => {
			if (machine.life === life) machine.isFull = isOn && !world.isHealed;
		});
	},

	async statementFails(world, random) {
		const machine = pickMachine(world, random);
		if (!machine.isUp) return;
		machine.breakage = {
			kind: random.pick(machine.disk.faults),
			statements: random.below(60),
		};
	},

	async clockJumps(world, random) {
		const { machine } = random.pick(world.tills);
		const rangeMs = random.pick([minuteMs, 2 * 60 * minuteMs, 3 * 365 * dayMs]);
		machine.clockOffsetMs = Math.floor((random.next() * 2 - 1) * rangeMs);
	},

	async serverClockJumps(world, random) {
		const { machine } = world.server;
		const jump = (rangeMs: number) => {
			machine.clockOffsetMs = Math.floor((random.next() * 2 - 1) * rangeMs);
		};
		if (random.chance(0.6)) return jump(2 * minuteMs);
		// Far enough for the server to take its own tokens for expired. In the end a person corrects it.
		const rangeMs = random.pick([10 * minuteMs, dayMs, 60 * dayMs]);
		until(world, random, (isOn) => jump(isOn ? rangeMs : minuteMs));
	},

	async isRevoked(world, random) {
		const till = random.pick(world.tills);
		until(world, random, (isOn) => {
			till.isRevoked = isOn;
		});
	},

	/** A member of another business signs in on the till. */
	async isElsewhere(world, random) {
		const till = random.pick(world.tills);
		until(world, random, (isOn) => {
			till.isElsewhere = isOn;
			const { replica } = till;
			if (!isOn && replica) world.track(world.attempt(() => replica.resume()));
		});
	},

	async isDemoted(world, random) {
		const till = random.pick(world.tills);
		until(world, random, (isOn) => {
			till.role = isOn ? "CASHIER" : "OWNER";
		});
	},

	/** Puts a mutation into the outbox that no correct till makes. */
	async isPoisoned(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { machine, businessId, caller } = till;
		const made = {
			id: newId(machine.env),
			name: random.pick(["sale.create", "product.update", "sale.void"]),
			args: canonicalJson({ id: "x", items: random.below(3), set: null }),
			argsVersion: firstArgsVersion,
			at: toIso(machine.env.now()),
			userId: caller.userId,
			deviceId: null,
		};
		world.witness.poison.add(made.id);
		await world.attempt(() =>
			machine.store.write((tx) => outbox.append(tx, businessId, made)),
		);
	},

	async serverFaults(world, random) {
		until(world, random, (isOn) => {
			world.isServerFaulty = isOn;
		});
	},

	async serverIsOlder(world, random) {
		const names = mutations
			.map(({ name }) => name)
			.filter(() => random.chance(0.3));
		until(world, random, (isOn) => {
			world.unknownNames = new Set(isOn ? names : []);
		});
	},

	async serverIsNewer(world, random) {
		until(world, random, (isOn) => {
			world.isServerNewer = isOn;
		});
	},

	async serverIsRestored(world, random) {
		const { backups, machine } = world.server;
		const last = backups.at(-1);
		if (!last || !machine.isUp) return;
		// Tills with correct clocks keep their mutations for a month; otherwise only a backup is safe to restore.
		const reach = world.script.faults.clockJumps ? 0 : 25 * dayMs;
		const reachable = backups.filter(
			({ at }) => at >= world.schedule.now() - reach,
		);
		const backup = reachable.length > 0 ? random.pick(reachable) : last;
		world.witness.count("server restored");
		await world.attempt(() => world.restoreServer(backup));
	},

	/** The server's file is replaced by an older one under the same epoch, and sometimes by the newer one again later. */
	async serverGoesBack(world, random) {
		const { backups, images, machine } = world.server;
		if (!machine.isUp) return;
		const now = world.schedule.now();
		const [first] = [...backups, ...images];
		if (!first) return;
		// Like a restore, no further back than what tills have kept.
		const lastBackup = backups.at(-1)?.at ?? 0;
		const since = world.script.faults.clockJumps
			? lastBackup
			: now - 25 * dayMs;
		const reachable = [...backups, ...images].filter(({ at }) => at >= since);
		if (reachable.length === 0) return;
		const image = random.pick(reachable);
		if (random.chance(0.5))
			images.push({ file: await machine.copyDisk(), at: now });
		world.witness.count("server went back");
		await world.attempt(() => world.restoreServer(image, false));
	},

	/** The till's disk is replaced by an older image. */
	async isRestored(world, random) {
		const copied = world.tills.filter(({ copy }) => copy !== undefined);
		if (copied.length === 0) return;
		const till = pickTill({ tills: copied }, random);
		if (!till?.copy) return;
		const { machine, copy } = till;
		world.witness.count("till restored");
		world.witness.excuse(till.name, copy.at);
		machine.die(false);
		await machine.start(copy.file);
		await world.noteTwin(till);
		till.seen = seenNothing();
		till.border = copy.border;
		await world.excusePulled();
		await world.openTill(till);
	},

	/** Two tills run on copies of the same disk. */
	async isCloned(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		world.witness.count("till cloned");
		const image =
			random.chance(0.3) && till.copy
				? till.copy.file
				: await till.machine.copyDisk();
		const { businessId, isInBrowser, joinsBySnapshot, windowDays } = till;
		// It may lack a part of the history that its original was still getting.
		const from = { image, isInBrowser, joinsBySnapshot, windowDays };
		const clone = await world.addTill(businessId, from);
		if (clone) await world.noteTwin(clone);
	},

	/** The till restarts with a program that reads more of the feed. */
	async isUpdated(world, random) {
		const till = pickTill(world, random);
		if (!till) return;
		const { machine } = till;
		await world.attempt(() =>
			machine.store.write((tx) =>
				tx.run(
					"UPDATE replica SET feed_form = 'an older program' WHERE business_id = ?",
					till.businessId,
				),
			),
		);
		world.witness.count("till updated");
		machine.die(false);
		await machine.start();
		await world.openTill(till);
	},

	async joins(world, random) {
		const businessId = random.pick(["shop-a", "shop-a", "shop-b"]);
		if (random.chance(0.4)) await world.addAloneShop(businessId);
		else await world.addTill(businessId);
	},

	/** Only its long wait matters. */
	async daysPass() {},
};

function pickMachine({ tills, server }: World, random: Random): Machine {
	return random.chance(0.3) ? server.machine : random.pick(tills).machine;
}
