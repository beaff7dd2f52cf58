//! The solver as a process, and the questions that it is asked: each for every kind of principal and every action on tools.

use std::time::Duration;

use ambit_model::declaration::Action;
use ambit_model::proof::Outcome;
use cedar_policy::{Effect, EntityId, EntityTypeName, EntityUid, Policy, PolicySet, RequestEnv, Schema};
use cedar_policy_symcc::solver::LocalSolver;
use cedar_policy_symcc::{CedarSymCompiler, CompiledPolicy, CompiledPolicySet, Env};

use super::{Policies, Step};

/// What is said where there is no solver.
pub(super) const WITHOUT: &str = "the solver cvc5 is not installed here: nothing was proved";
/// How long one question may take, in milliseconds.
const PATIENCE: u64 = 20_000;
/// How long the solver may take to say its version.
const GREETING: Duration = Duration::from_secs(5);
/// Longest counterexample that is kept, in characters.
const LONGEST: usize = 4_000;

/// The solver and its version; nothing where it is not installed.
pub(super) async fn version() -> Option<String> {
    let mut command = tokio::process::Command::new(std::env::var_os("CVC5").unwrap_or_else(|| "cvc5".into()));
    let asked = command.arg("--version").kill_on_drop(true).output();
    let output = tokio::time::timeout(GREETING, asked).await.ok()?.ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.split_whitespace().skip_while(|word| *word != "version").nth(1);
    output.status.success().then(|| format!("cvc5 {}", version.unwrap_or("of an unknown version")))
}

/// A running solver.
pub(super) struct Solver<'s> {
    compiler: CedarSymCompiler<LocalSolver>,
    schema: &'s Schema,
    environments: Vec<RequestEnv>,
}

impl<'s> Solver<'s> {
    /// Starts the process.
    pub(super) fn start(schema: &'s Schema) -> Result<Self, String> {
        let process = LocalSolver::cvc5_with_args([format!("--tlimit-per={PATIENCE}")]);
        let compiler = CedarSymCompiler::new(process.map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
        Ok(Self { compiler, schema, environments: environments(&Action::ALL)? })
    }

    /// The same, asked about these actions alone.
    pub(super) fn about(schema: &'s Schema, actions: &[Action]) -> Result<Self, String> {
        Ok(Self { environments: environments(actions)?, ..Self::start(schema)? })
    }

    /// Whatever the first policies allow, the second allow too.
    pub(super) async fn implies(&mut self, first: &PolicySet, second: &PolicySet) -> Outcome {
        for environment in self.environments.clone() {
            let compiled =
                self.compile(first, &environment).and_then(|one| Ok((one, self.compile(second, &environment)?)));
            let found = match compiled {
                Ok((first, second)) => self.compiler.check_implies_with_counterexample_opt(&first, &second).await,
                Err(why) => return Outcome::Unknown { why },
            };
            match outcome(found) {
                Outcome::Proved => {}
                other => return other,
            }
        }
        Outcome::Proved
    }

    /// Nothing is allowed by both.
    pub(super) async fn disjoint(&mut self, first: &PolicySet, second: &PolicySet) -> Outcome {
        for environment in self.environments.clone() {
            let compiled =
                self.compile(first, &environment).and_then(|one| Ok((one, self.compile(second, &environment)?)));
            let found = match compiled {
                Ok((first, second)) => self.compiler.check_disjoint_with_counterexample_opt(&first, &second).await,
                Err(why) => return Outcome::Unknown { why },
            };
            match outcome(found) {
                Outcome::Proved => {}
                other => return other,
            }
        }
        Outcome::Proved
    }

    /// What changing a policy into another of the same effect does, by the two alone: a permit narrows what it matches, a forbid
    /// widens it.
    pub(super) async fn pair(&mut self, old: &Policy, new: &Policy) -> Result<Step, String> {
        let (wide, narrow) = if new.effect() == Effect::Permit { (old, new) } else { (new, old) };
        let narrows = self.matches_within(narrow, wide).await?;
        Ok(match (narrows, narrows && self.matches_within(wide, narrow).await?) {
            (_, true) => Step::Same,
            (true, false) => Step::Narrower,
            (false, _) => Step::Unclear,
        })
    }

    /// Wherever the first applies, the second applies; an answer that the solver does not find counts as no.
    async fn matches_within(&mut self, first: &Policy, second: &Policy) -> Result<bool, String> {
        for environment in self.environments.clone() {
            let one = |policy| CompiledPolicy::compile(policy, &environment, self.schema).map_err(|e| e.to_string());
            let (first, second) = (one(first)?, one(second)?);
            if !matches!(self.compiler.check_matches_implies_opt(&first, &second).await, Ok(true)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The policy applies to no request about tools at all.
    pub(super) async fn never_applies(&mut self, all: &Policies, id: &str) -> bool {
        let Some(policy) = all.get(id) else { return false };
        for environment in self.environments.clone() {
            let Ok(compiled) = CompiledPolicy::compile(policy, &environment, self.schema) else { return false };
            if !matches!(self.compiler.check_never_matches_opt(&compiled).await, Ok(true)) {
                return false;
            }
        }
        true
    }

    fn compile(&self, policies: &PolicySet, environment: &RequestEnv) -> Result<CompiledPolicySet, String> {
        CompiledPolicySet::compile(policies, environment, self.schema).map_err(|e| e.to_string())
    }
}

/// Each kind of principal, with each action, on tools.
fn environments(actions: &[Action]) -> Result<Vec<RequestEnv>, String> {
    let of = |word: &str| -> Result<EntityTypeName, String> {
        format!("Ambit::{word}").parse().map_err(|e: cedar_policy::ParseErrors| e.to_string())
    };
    let (action_type, tool) = (of("Action")?, of("Tool")?);
    let mut environments = Vec::new();
    for principal in ["User", "Agent", "Role"] {
        for action in actions {
            let action = EntityUid::from_type_name_and_id(action_type.clone(), EntityId::new(action.word()));
            environments.push(RequestEnv::new(of(principal)?, action, tool.clone()));
        }
    }
    Ok(environments)
}

fn outcome(found: Result<Option<Env>, cedar_policy_symcc::err::Error>) -> Outcome {
    match found {
        Ok(None) => Outcome::Proved,
        Ok(Some(shown)) => Outcome::Refuted { counterexample: shown.to_string().chars().take(LONGEST).collect() },
        Err(error) => Outcome::Unknown { why: error.to_string() },
    }
}
