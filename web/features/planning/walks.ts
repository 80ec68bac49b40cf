/** How far passengers can say they would walk, in metres. */
export const walkChoices = [0, 300, 600, 1000, 1600];
