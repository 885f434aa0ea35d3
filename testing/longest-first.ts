import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Kinds of test files by how long one takes, which their sizes do not say. */
const kinds = ['.kill.test.', '.postgres.test.']
const turnOf = ({ moduleId }: TestSpecification): number => {
  const at = kinds.findIndex((kind) => moduleId.includes(kind))
  return at < 0 ? kinds.length : at
}

/** Those that take longest begin first, so that what ends a run are many short ones side by side. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}
