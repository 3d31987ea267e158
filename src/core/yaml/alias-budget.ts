/** How many nodes a document has, aliases expanded. */
export interface AliasBudget {
  nodes: number
  fromAliases: number
}

/** Charges the expansion of one alias; false when the document lives off its aliases as go-yaml's limit sees it. */
export function chargeAlias(budget: AliasBudget, nodes: number): boolean {
  budget.nodes += nodes + 1
  budget.fromAliases += nodes
  if (budget.fromAliases <= 100 || budget.nodes <= 1000) return true
  return budget.fromAliases / budget.nodes <= allowedShare(budget.nodes)
}

// Small documents may come almost wholly from aliases, from 4 million nodes on a tenth may.
const small = 400_000
const large = 4_000_000

function allowedShare(nodes: number): number {
  if (nodes <= small) return 0.99
  if (nodes >= large) return 0.1
  return 0.99 - (0.89 * (nodes - small)) / (large - small)
}
