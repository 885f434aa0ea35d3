// The old place of `reconciliation.ts`, for `testing/attacks/`, which is being worked on elsewhere; goes with its next change.
export { faultsWhenQuiet, isQuiet } from './reconciliation.ts'
