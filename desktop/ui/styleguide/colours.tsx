import type { CSSProperties } from "react";

/** Each role with what it is written on or carries. */
const roles: readonly (readonly [role: string, front: string])[] = [
	["ground", "ink"],
	["surface", "ink"],
	["sunk", "ink"],
	["ink", "surface"],
	["muted", "surface"],
	["money", "on-money"],
	["money-soft", "money"],
	["attention", "surface"],
	["attention-soft", "attention"],
	["danger", "surface"],
	["danger-soft", "danger"],
	["offline", "on-offline"],
	["focus", "surface"],
	["carbon-soft", "ink"],
];

const hues = Array.from(
	{ length: 10 },
	(_, i) => [`hue-${i + 1}`, "ink"] as const,
);

const grid: CSSProperties = {
	display: "grid",
	gridTemplateColumns: "repeat(auto-fill, minmax(150px, 1fr))",
	gap: 8,
};

/** The colours by their names, each with what is written on it, and the edges. */
export function Colours() {
	return (
		<>
			<Swatches colours={roles} />
			<h3>Category hues</h3>
			<Swatches colours={hues} />
			<h3>Edges</h3>
			<div style={grid}>
				{["line", "edge"].map((edge) => (
					<div
						key={edge}
						style={{
							padding: 12,
							boxShadow: `inset 0 0 0 2px var(--${edge})`,
						}}
					>
						{edge}
					</div>
				))}
			</div>
		</>
	);
}

function Swatches({
	colours,
}: {
	colours: readonly (readonly [name: string, front: string])[];
}) {
	return (
		<div style={grid}>
			{colours.map(([name, front]) => (
				<div
					key={name}
					style={{
						padding: 12,
						borderRadius: 8,
						background: `var(--${name})`,
						color: `var(--${front})`,
					}}
				>
					<span className="strong">{name}</span>
					<br />
					<span className="text-s">{front} on it</span>
				</div>
			))}
		</div>
	);
}
