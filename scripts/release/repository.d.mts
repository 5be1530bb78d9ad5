export interface Repository {
  readonly owner: string;
  readonly name: string;
}
export function repositoryOf(address: string): Repository;
export function originOf(checkout: string): Repository;
export function manifestFields(repository: Repository): {
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly repository: { readonly type: 'git'; readonly url: string };
};
export function withAbsoluteLinks(markdown: string, repository: Repository, tag: string): string;
