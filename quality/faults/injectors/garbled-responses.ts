import { allProviders, createProviderInjector } from './provider-faults.ts'

export const garbledResponses = createProviderInjector('garbled-answers', allProviders, ['garbled'])
