import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The kinds of slow test files, slowest first. A file's size says little about its duration: a screen test is only a few lines long but
 * takes minutes.
 */
const kinds = ['.kill.test.', '.postgres.test.', '/e2e/screens/']
const getPriority = ({ moduleId }: TestSpecification): number => {
  const at = kinds.findIndex((kind) => moduleId.includes(kind))
  return at < 0 ? kinds.length : at
}

/** Starts the slowest test files first, so that a run ends with many short files in parallel. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => getPriority(one) - getPriority(other))
  }
}
