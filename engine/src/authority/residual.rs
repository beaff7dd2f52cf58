//! What is left of a policy once everything but the tool is known, as the set of tools that it applies to.
//! A shape that is not known here gives nothing, and Cedar is asked about each kind of tool instead; so a new shape costs time and
//! never a wrong answer. Shapes that can fail are never known here.

use cedar_policy::Policy;
use cedar_policy::pst::{BinaryOp, Clause, EntityUID, Expr, Literal, UnaryOp, Var};
use roaring::RoaringBitmap;

use super::facets::{Attribute, Facets, Named, Seen};

/// The type of a tool, as Cedar writes it.
const TOOL: &str = "Ambit::Tool";

/// The tools that what is left of a policy applies to; nothing where its shape is not known.
pub(super) fn applies_to(facets: &Facets, residual: &Policy) -> Option<RoaringBitmap> {
    let policy = residual.to_pst().ok()?;
    let mut tools = facets.all.clone();
    for clause in policy.body().clauses() {
        match clause {
            Clause::When(condition) => tools &= facets.those(condition)?,
            Clause::Unless(condition) => tools -= facets.those(condition)?,
        }
    }
    Some(tools)
}

impl Facets {
    /// The tools for which a condition is true.
    fn those(&self, condition: &Expr) -> Option<RoaringBitmap> {
        match condition {
            Expr::Literal(Literal::Bool(holds)) => Some(if *holds { self.all.clone() } else { RoaringBitmap::new() }),
            Expr::UnaryOp { op: UnaryOp::Not, expr } => Some(&self.all - self.those(expr)?),
            Expr::BinaryOp { op, left, right } => self.compared(*op, left, right),
            Expr::IfThenElse { cond, then_expr, else_expr } => {
                let (yes, no) = (self.those(then_expr)?, self.those(else_expr)?);
                let condition = self.those(cond)?;
                Some((yes & &condition) | (no - &condition))
            }
            Expr::GetAttr { .. } => Some(self.attribute_of(condition)?.is(&Seen::Flag(true))),
            Expr::HasAttr { expr, attrs } if attrs.tail.is_empty() && is_tool(expr) => {
                Some(self.attribute(&attrs.head)?.has.clone())
            }
            Expr::Is { expr, entity_type, in_expr } if is_tool(expr) => {
                let of_type = if entity_type.to_string() == TOOL { self.all.clone() } else { RoaringBitmap::new() };
                match in_expr {
                    Some(outer) => Some(of_type & self.inside(outer)?),
                    None => Some(of_type),
                }
            }
            _ => None,
        }
    }

    fn compared(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<RoaringBitmap> {
        match op {
            BinaryOp::And => Some(self.those(left)? & self.those(right)?),
            BinaryOp::Or => Some(self.those(left)? | self.those(right)?),
            BinaryOp::Eq => self.equal(left, right).or_else(|| self.equal(right, left)),
            BinaryOp::NotEq => Some(&self.all - self.equal(left, right).or_else(|| self.equal(right, left))?),
            BinaryOp::In if is_tool(left) => self.inside(right),
            BinaryOp::Contains => match left {
                Expr::Set(members) => members
                    .iter()
                    .try_fold(RoaringBitmap::new(), |tools, member| Some(tools | self.equal(right, member)?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The tools of which this says the same as the literal.
    fn equal(&self, said: &Expr, literal: &Expr) -> Option<RoaringBitmap> {
        if let (true, Expr::Literal(Literal::EntityUID(of))) = (is_tool(said), literal) {
            return Some(if of.ty.to_string() == TOOL { self.within(&named(of)) } else { RoaringBitmap::new() });
        }
        Some(self.attribute_of(said)?.is(&seen(literal)?))
    }

    fn inside(&self, outer: &Expr) -> Option<RoaringBitmap> {
        match outer {
            Expr::Literal(Literal::EntityUID(outer)) => Some(self.within(&named(outer))),
            Expr::Set(members) => {
                members.iter().try_fold(RoaringBitmap::new(), |tools, member| Some(tools | self.inside(member)?))
            }
            _ => None,
        }
    }

    /// `resource.name`.
    fn attribute_of(&self, said: &Expr) -> Option<&Attribute> {
        match said {
            Expr::GetAttr { expr, attr } if is_tool(expr) => self.attribute(attr),
            _ => None,
        }
    }
}

fn is_tool(expression: &Expr) -> bool {
    matches!(expression, Expr::Var(Var::Resource))
}

fn seen(literal: &Expr) -> Option<Seen> {
    match literal {
        Expr::Literal(Literal::Bool(flag)) => Some(Seen::Flag(*flag)),
        Expr::Literal(Literal::String(text)) => Some(Seen::Text(text.to_string())),
        Expr::Literal(Literal::EntityUID(uid)) => Some(Seen::Entity(named(uid))),
        _ => None,
    }
}

fn named(uid: &EntityUID) -> Named {
    Named { of: uid.ty.to_string(), id: uid.eid.to_string() }
}
