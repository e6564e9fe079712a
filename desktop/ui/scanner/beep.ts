let sounds: AudioContext | undefined;

/** Beeps: short and high for right, longer and low for wrong. */
export function beep(isRight: boolean): void {
	if (typeof AudioContext === "undefined") return;
	sounds ??= new AudioContext();
	const tone = sounds.createOscillator();
	const volume = sounds.createGain();
	tone.frequency.value = isRight ? 1_400 : 220;
	volume.gain.value = 0.08;
	tone.connect(volume).connect(sounds.destination);
	tone.start();
	tone.stop(sounds.currentTime + (isRight ? 0.07 : 0.35));
}
