import type { Problem } from './generated.ts'

/** A request that the gateway refused or could not carry out. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }

  /** The code of the error table, for example `deployment.not-found`. */
  get code(): string {
    return this.problem.code
  }

  get status(): number {
    return this.problem.status
  }
}
