import { expect, test } from "vitest";
import { openArrivals } from "./arrivals.ts";

/** Opens room for a thousand bytes, and notes which bodies had to go. */
function openRoom() {
	const gone: string[] = [];
	const arrivals = openArrivals(1_000, () => new Error("no room"));
	return {
		gone,
		begin: (sender: string, name: string) =>
			arrivals.begin(sender, () => gone.push(name)),
	};
}

test("the oldest body of the sender with the most on the way makes room for any other", () => {
	const { gone, begin } = openRoom();
	begin("asha", "a1").add(300);
	begin("asha", "a2").add(300);
	begin("baraka", "b1").add(350);
	expect(gone).toEqual([]);
	begin("juma", "j1").add(100);
	expect(gone).toEqual(["a1"]);
	// Who has the most makes room for itself.
	begin("juma", "j2").add(500);
	expect(gone).toEqual(["a1", "j1", "j2"]);
});

test("a body that has arrived, was cut off or had to go counts no more", () => {
	const { gone, begin } = openRoom();
	const whole = begin("asha", "a1");
	whole.add(900);
	whole.end();
	whole.end();
	const other = begin("baraka", "b1");
	other.add(1_000);
	expect(gone).toEqual([]);
	other.add(1);
	expect(gone).toEqual(["b1"]);
	other.add(5_000);
	other.end();
	begin("asha", "a2").add(1_000);
	expect(gone).toEqual(["b1"]);
});
