/**
 * Grams of CO₂ that one car not driven saves per meter: 400 g per mile, the United States Environmental
 * Protection Agency's figure for an average passenger vehicle ("Greenhouse Gas Emissions from a Typical
 * Passenger Vehicle").
 */
export const co2GramsPerMetre = 400 / 1609.344;
