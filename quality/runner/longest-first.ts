import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Kinds of slow test files, the slowest first. A file's size does not show its duration: a screen test has few lines and takes minutes. */
const kinds = ['.kill.test.', '.postgres.test.', '/e2e/screens/']
const priorityOf = ({ moduleId }: TestSpecification): number => {
  const at = kinds.findIndex((kind) => moduleId.includes(kind))
  return at < 0 ? kinds.length : at
}

/** Starts the slowest test files first, so that the run ends with many short files in parallel. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => priorityOf(one) - priorityOf(other))
  }
}
