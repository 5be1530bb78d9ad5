/** cel-go's units of cost (common/cost.go). */
export const selectCost = 1;
export const listCreateCost = 10;
export const mapCreateCost = 30;
export const structCreateCost = 40;
/** Per code point or byte read. */
export const stringFactor = 0.1;
/** Per code point of a pattern. */
export const regexFactor = 0.25;
