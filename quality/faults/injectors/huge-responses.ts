import { allProviders, createProviderInjector } from './provider-faults.ts'

export const hugeResponses = createProviderInjector('huge-answers', allProviders, ['huge'])
