import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Kinds of test files by how long one takes, which their sizes do not say. A file of screens is a few lines and takes minutes. */
const kinds = ['.kill.test.', '.postgres.test.', '/e2e/screens/']
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
