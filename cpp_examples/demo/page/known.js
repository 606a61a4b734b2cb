// What is known of checks that some runs miss, and what is done about it: docs/engines.md in short. Every missed check is shown with its entry,
// or with the sentence that its cause is not known. The first entry that fits counts; `scenarios` and `engines` are all of them if left out.

const entries = [
    { check: "penetration", scenarios: ["plates"],
      known: "Of twenty runs up to three end above the bar, none above 1 %: a ball of forty times its mass digs into a shard (Jolt, Bullet), or a shard half below the rack is pushed down, into the ground (ODE).",
      doing: "scripts/settle counts them over many runs, of which 95 % must be within the bar." },
    { check: "penetration",
      known: "In few runs two thin shards cross within one step and push each other both ways.",
      doing: "The motion of the step and the memory of the pair have made such runs rarer; scripts/settle counts them." },
    { check: "at rest",
      known: "In about one run of twenty a body still rocks when the time is over.",
      doing: "scripts/settle counts them over many runs, of which 90 % must end at rest." },
    { check: "drift",
      known: "Solvers that get other points in each step creep.",
      doing: "The memory of the pair keeps contacts the same while nothing moves: with it, stack and wall drift by less than 0.3 mm in a minute on all four engines." },
    { check: "energy",
      known: "A body that breaks on another goes on as it moved before the blow, and the other keeps the push of it: in that step the blow counts twice. The bricks on Jolt miss the bar so, by 0.6 J of 41 where one breaks on another that lies; a step later it is gone.",
      doing: "It comes from the demo’s rule of what a break does to velocities, not from contacts; the rule stays simple." },
    { check: "spike, share",
      known: "A first break into convex cells takes about as long as hulls of its pieces. Rough cracks, blows that join cells to groups, and pieces that break again take several times as long, all within one step; most of it is the break itself.",
      doing: "It is measured in every run, and the bar stays where it is." },
];

/** One sentence or two for a missed check of a scenario or study on an engine. */
export function whatIsKnown(check, scenario, engine) {
    const fits = (list, one) => !list || list.includes(one);
    const entry = entries.find((one) => one.check === check && fits(one.scenarios, scenario) && fits(one.engines, engine));
    return entry ? `${entry.known} ${entry.doing}` : "Its cause is not known. Other engines are in the table of all runs; scripts/settle tells whether it is chance.";
}
