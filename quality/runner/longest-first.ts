import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Kinds of test files by their duration, which their sizes do not show: a file of screens has a few lines and takes minutes. */
const kinds = ['.kill.test.', '.postgres.test.', '/e2e/screens/']
const priorityOf = ({ moduleId }: TestSpecification): number => {
  const at = kinds.findIndex((kind) => moduleId.includes(kind))
  return at < 0 ? kinds.length : at
}

/** Starts the longest files first, so that a run ends with many short files side by side. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => priorityOf(one) - priorityOf(other))
  }
}
